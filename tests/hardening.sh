#!/bin/sh
# The program is built hardened: what configure asked for is in the file.
. "$(dirname "$0")/tap.sh"
command -v readelf >/dev/null || skip_all "no readelf"
readelf -W --dyn-syms "$lycosa" >symbols 2>problem || skip_all "lycosa is no ELF file"
if grep -q -e '__[alt]san_init' -e __gcov_ -e __ubsan_ "$lycosa"; then
	skip_all "a build with sanitizers, or that counts lines, is hardened otherwise"
fi
readelf -W -h -l -d "$lycosa" >elf
plan 6

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
