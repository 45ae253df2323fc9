# The service in one container. It stores sessions in the Redis of REDIS_URL. Without REDIS_URL it starts an embedded
# Valkey with its data in /data. The entry point is the command line:
#
#     docker run skerry                      the service; settings are variables (docs/reference/settings.md)
#     docker run skerry verify - < game.json any other command
#
# The base is a multi-platform index: docker buildx build --platform linux/amd64,linux/arm64 .
ARG PYTHON_IMAGE=python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d

FROM ${PYTHON_IMAGE} AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src

# Two environments: /opt/skerry goes into the image, /opt/build does not.
COPY requirements.lock requirements-build.lock ./
RUN python -m venv --without-pip /opt/skerry \
    && python -m venv /opt/build \
    && /opt/build/bin/pip --python /opt/skerry/bin/python install --require-hashes -r requirements.lock \
    && /opt/build/bin/pip install --require-hashes -r requirements-build.lock

# The web page, built with the Node from a Python package. Without Node the script skips the page; an image needs it.
COPY package.json package-lock.json requirements-node.lock ./
COPY scripts/build_page.py scripts/build_page.py
COPY clients/typescript clients/typescript
COPY clients/web clients/web
RUN /opt/build/bin/python scripts/build_page.py \
    && test -f service/skerry_service/edge/rest/web_page/index.html \
    && test -f service/skerry_service/edge/admin/admin_page/admin.html

COPY pyproject.toml hatch_build.py LICENSE NOTICE ./
COPY clients/api clients/api
COPY clients/python clients/python
COPY protos protos
COPY service service
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . ./clients/api ./clients/python ./service/skerry_games \
    && /opt/build/bin/pip --python /opt/skerry/bin/python install --no-deps --no-index /wheels/*.whl \
    && /opt/skerry/bin/python -m compileall -q /opt/skerry

FROM ${PYTHON_IMAGE}

LABEL org.opencontainers.image.title="skerry" \
      org.opencontainers.image.description="Island board games behind one API, gRPC and REST" \
      org.opencontainers.image.licenses="Apache-2.0"

RUN groupadd --system --gid 10001 skerry \
    && useradd --system --uid 10001 --gid skerry --home-dir /data --shell /usr/sbin/nologin skerry \
    && install -d -o skerry -g skerry -m 0750 /data

COPY --from=build /opt/skerry /opt/skerry
COPY LICENSE NOTICE /usr/share/doc/skerry/
COPY --chmod=0755 deploy/image/probe /usr/local/bin/skerry-probe

# Default settings. Variables of the container override them.
ENV PATH=/opt/skerry/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    SKERRY_DATA_DIR=/data SKERRY_HOST=0.0.0.0 SKERRY_HTTP=0.0.0.0:8080

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 50051 8080
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["skerry-probe"]

ENTRYPOINT ["skerry"]
CMD ["serve"]
