# The service as an image: `docker build -t bottega .` in a clone. docs/installing.md says how it is run.

FROM docker.io/library/node:24-bookworm-slim AS package
WORKDIR /source
COPY . .
# The last one runs its scripts: they make links that the service could not add to a read-only image.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts --no-audit --no-fund \
 && npm pack -w bottega --pack-destination /tmp \
 && npm install --global --prefix /opt/bottega --no-audit --no-fund /tmp/bottega-*.tgz

FROM docker.io/library/node:24-bookworm-slim
# git is for clone, push and archives; bubblewrap, util-linux, slirp4netns and iproute2 are the sandbox of builds.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      bubblewrap ca-certificates git iproute2 slirp4netns tini util-linux \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
 && install -d -o 1000 -g 1000 -m 700 /data
COPY --from=package /opt/bottega /opt/bottega
# BOTTEGA_PUBLIC_URL is for whoever runs it to say: what is open to everyone follows from it.
ENV PATH=/opt/bottega/bin:$PATH HOME=/tmp BOTTEGA_HOST=0.0.0.0 BOTTEGA_DATA_DIR=/data
# Hidden from builds, whatever else they see of the image.
WORKDIR /opt/bottega
USER 1000:1000
VOLUME /data
EXPOSE 3000 3001
HEALTHCHECK --interval=15s --timeout=10s --start-period=120s --retries=3 \
  CMD ["node", "-e", "const { PORT: port = 3000, BOTTEGA_TLS, BOTTEGA_TLS_CERT, BOTTEGA_PUBLIC_URL: url } = process.env; require(BOTTEGA_TLS || BOTTEGA_TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, servername: url && new URL(url).hostname }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Orphans of git and of builds need a parent that waits for them; SIGTERM goes through to the service.
ENTRYPOINT ["tini", "--", "bottega"]
CMD ["start"]
