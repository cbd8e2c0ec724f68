#!/usr/bin/env bash
# Builds the WebAssembly module of the page: scripts/wasm.sh [FOLDER]. The default folder is `web` in
# Cargo's target folder. CONTRIBUTING.md says how to get the compiler's part for WebAssembly.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
build=${CARGO_TARGET_DIR:-target}
out=${1:-$build/web}
# Apart from native builds, which may use another compiler.
export CARGO_TARGET_DIR=$build/wasm
# Every browser since 2023 has these instructions for vectors of 128 bits.
export RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+simd128"
options=()
if ! [ -d "$("${RUSTC:-rustc}" --print target-libdir --target $target)" ]; then
    # The standard library is built too, with the compiler that has its source.
    for RUSTC in "${RUSTC:-rustc}" /usr/bin/rustc; do
        source=$("$RUSTC" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/std
        [ -d "$source" ] && break
    done
    if ! [ -d "$source" ]; then
        echo "no standard library for $target: run \`rustup target add $target\`, or see CONTRIBUTING.md" >&2
        exit 1
    fi
    options=(-Zbuild-std=std,panic_abort)
    export RUSTC RUSTC_BOOTSTRAP=1
    # Debian's compiler comes without a linker.
    llvm=$("$RUSTC" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    for linker in "wasm-ld-$llvm" wasm-ld; do
        if command -v "$linker" >/dev/null; then
            export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
            break
        fi
    done
fi
cargo build --package parlour-web --profile web --target $target "${options[@]}"

# The command must have the version of the crate.
version=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print }' Cargo.lock)
bindgen=wasm-bindgen
if [ "$($bindgen --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
    bindgen=$CARGO_TARGET_DIR/tools/bin/wasm-bindgen
    if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
        unset RUSTC RUSTC_BOOTSTRAP RUSTFLAGS
        # Unoptimized: it compiles in half the time and runs for seconds either way. Without defaults,
        # which are for connections with TLS.
        export CARGO_PROFILE_DEV_DEBUG=0
        install=(cargo install --quiet --debug --no-default-features --bin wasm-bindgen --root "$CARGO_TARGET_DIR/tools"
            wasm-bindgen-cli --version "$version")
        # A mirror may lack the newest versions, which its lock file names.
        "${install[@]}" --locked || {
            echo "trying the versions that are there" >&2
            "${install[@]}"
        }
    fi
fi
"$bindgen" --target web --no-typescript --remove-name-section --remove-producers-section --out-dir "$out" "$CARGO_TARGET_DIR/$target/web/parlour_web.wasm"
module=$out/parlour_web_bg.wasm
if command -v wasm-opt >/dev/null; then
    wasm-opt -O3 --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-mutable-globals --enable-reference-types --enable-multivalue "$module" -o "$module"
fi
echo "$module: $(wc -c <"$module") bytes"
