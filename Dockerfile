# One static executable, the time zones, the templates and the static files: nothing else is in the image.
# No shell, no package manager, no library. SQLite and argon2 are Debian's, linked in; rebuild to follow Debian's updates.

FROM swift:6.3-bookworm AS build
RUN apt-get -q update && apt-get -q install -y --no-install-recommends libsqlite3-dev libargon2-dev pkg-config tzdata
WORKDIR /src
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --product docket -Xswiftc -static-executable
COPY Templates /image/usr/share/docket/Templates
COPY Public /image/usr/share/docket/Public
RUN mkdir -p /image/usr/bin /image/data \
 && strip -o /image/usr/bin/docket .build/release/docket \
 && cp -a /usr/share/zoneinfo /image/usr/share/zoneinfo \
 && rm -rf /image/usr/share/zoneinfo/posix /image/usr/share/zoneinfo/right \
 && chown 10001:10001 /image/data && chmod 700 /image/data

FROM scratch
COPY --from=build /image /
# What is too big for memory (a large upload, a large sort) goes to a nameless file here, so that the root may be read-only.
ENV DOCKET_HOST=0.0.0.0 DOCKET_PORT=8080 DOCKET_DATABASE=/data/docket.sqlite3 DOCKET_RESOURCES=/usr/share/docket TMPDIR=/data
WORKDIR /data
VOLUME /data
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/bin/docket", "health"]
ENTRYPOINT ["/usr/bin/docket"]
CMD ["serve"]
