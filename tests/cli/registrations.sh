#!/bin/sh
# OpenCL drivers as the system registers them: a folder, a file, a driver; damaged and doubled registrations.
set -u
. "$1/tests/cli/common"

registered=$(find "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}" -name 'pocl*.icd' 2>/dev/null | head -n 1)
[ -n "$registered" ] || { echo 'SKIP: PoCL is not registered here'; exit 77; }
unset OCL_ICD_VENDORS OCL_ICD_FILENAMES POCL_DEVICES

# lists VENDORS: one OpenCL device, and nothing said of the registration.
lists() {
    OCL_ICD_VENDORS=$1 "$USKOR" devices >out 2>err || wrong "devices ends with $?: $(cat err)"
    [ "$(grep -c '^opencl:[0-9]*$' out)" = 1 ] || wrong "$1: not one device: $(grep '^opencl' out)"
    ! grep '^opencl: without a device' out || wrong "$1 is said to be wrong"
}

mkdir two lines empty
cp "$registered" two/a.icd
cp "$registered" two/b.icd
lists "$registered"
lists "$folder/two"
lists "$(head -n 1 "$registered")"
printf 'libpocl.so.2\r\n' >lines/a.icd
no_device="$USKOR check transpose:rows=3,cols=5 -d opencl:0 -r naive --tiny"
for vendors in lines lines/a.icd; do
    OCL_ICD_VENDORS=$folder/$vendors expect 3 'ends its line with a carriage return' $no_device
done
OCL_ICD_VENDORS=$folder/empty expect 3 'has no .icd file' $no_device
OCL_ICD_VENDORS=$folder/none.icd expect 3 'none.icd: No such file' $no_device
OCL_ICD_VENDORS=none.so.1 expect 3 "OCL_ICD_VENDORS names 'none.so.1', which does not load" $no_device
mkdir -p nameless folders/a.icd
echo >nameless/a.icd
OCL_ICD_VENDORS=$folder/nameless expect 3 'nameless/a.icd names no driver: its first line is empty' $no_device
OCL_ICD_VENDORS=$folder/folders expect 3 'folders/a.icd names no driver: Is a directory' $no_device
mkdir pipes devices
mkfifo pipes/a.icd pipe.so
echo "$folder/pipe.so" >devices/a.icd
for vendors in pipes pipes/a.icd devices pipe.so; do
    OCL_ICD_VENDORS=$folder/$vendors expect 3 "is a pipe or a device, which OpenCL's loader would wait for" $no_device
done
ln -s /dev/null two/masked.icd # a driver that is left out on purpose
OCL_ICD_VENDORS=$folder/two "$USKOR" devices | grep -q '^opencl:0$' || wrong 'a registration that is /dev/null hides the others'
for wish in nothing ''; do
    POCL_DEVICES=$wish expect 3 "PoCL has no device, as POCL_DEVICES is '$wish'" $no_device
done

finish
