# makes lycosa-recrawl@.service of lycosa@.service, whose confinement it has
1,2d
s|^# /usr/share/doc/lycosa/examples\..*|# One crawl more of a crawl that lycosa@NAME has begun, in a store of its own: see /usr/lib/lycosa/lycosa-recrawl.|
s|^Description=.*|Description=lycosa, a web crawler: %i once more|
s|^\[Service\]|[Service]\nType=oneshot|
s|^ExecStart=.*|ExecStart=/usr/lib/lycosa/lycosa-recrawl %i|
/^ExecReload=/d
/^\[Install\]/,$d
