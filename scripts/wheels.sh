#!/bin/sh
# Builds the Python wheels for Linux on x86-64 and aarch64, on either of them. They need glibc 2.28.
# pip install maturin ziglang && scripts/wheels.sh [FOLDER]
set -eu
out=$(realpath "${1:-dist}")
cd "$(dirname "$0")/../python"
for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
    rustup target add "$target"
    maturin build --release --locked --zig --target "$target" --compatibility manylinux_2_28 --out "$out"
done
