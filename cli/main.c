#include <stdio.h>

int main(void)
{
	puts("lycosa");
	return 0;
}
