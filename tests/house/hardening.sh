#!/bin/sh
# The program is built hardened: what configure asked for is in the file.
. "$(dirname "$0")/../tap.sh"
command -v readelf >/dev/null || skip_all "no readelf"
readelf -W --dyn-syms "$lycosa" >symbols 2>problem || skip_all "lycosa is no ELF file"
if grep -q -e '__[alt]san_init' -e __gcov_ -e __ubsan_ "$lycosa"; then
	skip_all "a build with sanitizers, or that counts lines, is hardened otherwise"
fi
readelf -W -h -l -d "$lycosa" >elf
plan 8

grep -q 'Type: *DYN' elf && grep -q INTERP elf
result $? "its place in memory is random (PIE)"
grep -q GNU_RELRO elf && grep -Eq '\((FLAGS|FLAGS_1|BIND_NOW)\).*NOW|BIND_NOW' elf
result $? "its tables are read-only once it runs (full RELRO)"
grep -q ' __stack_chk_fail@' symbols
result $? "it guards its stack"
name="it checks what it copies where (_FORTIFY_SOURCE)"
case " ${TEST_CFLAGS--O2} " in
*" -O0 "*) skip "$name" "needs an optimizing compiler" ;;
*" -O"*)
	grep -v ' __stack_chk_fail@' symbols | grep -q ' __[a-z_]*_chk@'
	result $? "$name"
	;;
*) skip "$name" "needs an optimizing compiler" ;;
esac
grep GNU_STACK elf | grep -q 'RW ' && ! grep GNU_STACK elf | grep -q 'RWE'
result $? "its stack is no code"
! grep -q TEXTREL elf
result $? "its code is never written to"

# accepts FLAG...: whether the compiler takes the flags without a warning, as configure asks it
accepts() {
	printf '#include <stdio.h>\nint main(void) { return 0; }\n' >accepts.c
	# shellcheck disable=SC2086 # a compiler may come with arguments, and flags are words
	${TEST_CC:-cc} ${TEST_CFLAGS--O2} -Werror "$@" accepts.c -o accepts 2>/dev/null
}
name="it checks copies into memory whose size is known only at run time (_FORTIFY_SOURCE=3)"
if accepts -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3; then
	grep -q '^HARDEN_CFLAGS.*-D_FORTIFY_SOURCE=3' "$build/Makefile"
	result $? "$name"
else
	skip "$name" "not with this compiler and its flags"
fi
name="jumps through pointers land where a jump may land (CET)"
if ! accepts -fcf-protection=full; then
	skip "$name" "not with this compiler or processor"
elif ! command -v objdump >/dev/null; then
	skip "$name" "no objdump"
else
	objdump -d --disassemble=main "$lycosa" >main.text
	grep -q endbr main.text
	result $? "$name"
fi
