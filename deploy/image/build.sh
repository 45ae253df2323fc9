#!/usr/bin/env bash
# Build the image without a container engine: with buildah, on a base of Debian packages, all under build/image.
# With an engine, use `docker build .`, which uses the base that the Dockerfile names.
#
# Needs root and the Debian packages buildah and debootstrap. BASE names another base image; it must contain `python`.
set -euo pipefail
cd "$(dirname "$0")/../.."

into=$PWD/build/image
image=localhost/skerry
base=${BASE:-localhost/skerry-base}
export BUILDAH_ISOLATION=chroot
mkdir -p "$into"
buildah=(buildah --root "$into/storage" --runroot "$into/run")

# Replaces python:slim: Debian with its own Python and nothing else.
make_base() {
    local root=$into/base container
    if [[ ! -f $into/base.made ]]; then
        rm -rf "$root"
        debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv trixie "$root" >"$into/base.log"
        ln -s python3 "$root/usr/bin/python"
        rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
        touch "$into/base.made"
    fi
    container=$("${buildah[@]}" from scratch)
    "${buildah[@]}" add --quiet "$container" "$root" / >/dev/null
    "${buildah[@]}" commit --quiet --rm "$container" "$base" >/dev/null
}

# The build uses the registry configuration of this machine. The image does not contain it.
cat /etc/npmrc "$HOME/.npmrc" >"$into/npmrc" 2>/dev/null || true
mounts=(--volume /etc/ssl/certs:/etc/ssl/certs:ro --volume "$into/npmrc:/root/.npmrc:ro")
if [[ -e /etc/pip.conf ]]; then
    mounts+=(--volume /etc/pip.conf:/etc/pip.conf:ro)
fi

"${buildah[@]}" inspect --type image "$base" >/dev/null 2>&1 || make_base
"${buildah[@]}" build --format docker --layers=false --pull=never "${mounts[@]}" \
    --build-arg "PYTHON_IMAGE=$base" --iidfile "$into/id" --tag "$image" .
"${buildah[@]}" inspect --type image "$image" >"$into/inspected.json"

# Unpack the files of the image.
rm -rf "$into/root"
container=$("${buildah[@]}" from --pull=never "$image")
cp -a "$("${buildah[@]}" mount "$container")" "$into/root"
"${buildah[@]}" rm "$container" >/dev/null
python3 deploy/image/sbom.py "$into/root" >"$into/sbom.json"
echo "$image $(cat "$into/id"): $(du -sm "$into/root" | cut -f1) MiB, of which the base $(du -sm "$into/base" | cut -f1) MiB;" \
    "$(grep -c '"purl"' "$into/sbom.json") packages in $into/sbom.json"
