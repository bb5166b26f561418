#include "fetch/trust.h"
#include "base/ascii.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int trust_check_at(const char *file, const char *folder, struct err_note *why)
{
	const char *const place = file ? file : folder;

	if (!place)
		return 0; /* the TLS library has places of its own */
	if (access(place, R_OK) == 0)
		return 0;
	return err_set(why, ERR_FILE,
		"no certificates to check https with: cannot read '%s': %s (Debian: apt-get install ca-certificates; or name a file with --cacert)",
		place, ascii_error(errno));
}

int trust_check(const char *cacert, struct err_note *why)
{
	const curl_version_info_data *built = curl_version_info(CURLVERSION_NOW);

	return cacert ? trust_check_at(cacert, NULL, why) : trust_check_at(built->cainfo, built->capath, why);
}

int trust_is_in_file(void)
{
	const char *const file = curl_version_info(CURLVERSION_NOW)->cainfo;

	return file && access(file, R_OK) == 0;
}

void trust_places(const char *cacert, const char *place[TRUST_PLACES])
{
	const curl_version_info_data *built = curl_version_info(CURLVERSION_NOW);

	place[0] = cacert ? cacert : built->cainfo;
	place[1] = built->capath;
	place[2] = getenv("SSL_CERT_FILE");
	place[3] = getenv("SSL_CERT_DIR");
}
