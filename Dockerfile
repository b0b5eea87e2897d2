# schemacheck as a container: docker build -t schemacheck . && docker run --rm -v "$PWD:/work:ro" schemacheck check a.sql b.sql
# A release names the base image by its digest: --build-arg BASE=python:3.13-slim@sha256:...
ARG BASE=python:3.13-slim
FROM ${BASE} AS build
WORKDIR /build
COPY . .
RUN python -I -m venv /build/tools \
 && /build/tools/bin/python -I -m pip install --quiet --no-cache-dir --disable-pip-version-check \
      --require-hashes --no-deps --only-binary :all: --requirement .ci/build.lock --requirement .ci/runtime.lock \
 && /build/tools/bin/python -I -m hatchling build --target wheel --directory /build/dist
RUN python -I -m venv /opt/schemacheck \
 && /opt/schemacheck/bin/python -I -m pip install --quiet --no-cache-dir --disable-pip-version-check \
      --require-hashes --no-deps --only-binary :all: --requirement .ci/runtime.lock \
 && /opt/schemacheck/bin/python -I -m pip install --quiet --no-cache-dir --no-deps --no-index /build/dist/*.whl

FROM ${BASE}
COPY --from=build /opt/schemacheck /opt/schemacheck
# Nobody's user: it owns nothing, and needs to write nothing.
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/opt/schemacheck/bin/schemacheck"]
CMD ["--help"]
