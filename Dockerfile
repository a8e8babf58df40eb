# One recipe for every process: docker build --build-arg SERVICE=orders .
# An image holds the one file of each program of SERVICE, byte for byte the one that the tests run, and what it reads when it runs. It holds no
# libraries: they are part of that file.
ARG NODE_IMAGE=node:26.10.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
RUN npm install --global --no-fund --no-audit pnpm@12.21.0
WORKDIR /app
COPY . .
# All images share this layer: one installation, and one build of all programs. Optional dependencies take part: the bundler's own program is one,
# and without another the files would have other bytes. Postgres and Node are among them, and stay here.
RUN --mount=type=cache,id=pnpm-store,target=/root/.local/share/pnpm/store \
    pnpm install --frozen-lockfile --prod --filter-prod '{services/*}...' --filter-prod '@corner/cli...' \
 && node packages/programs/src/main.ts
ARG SERVICE
# The pages that the console and the storefront serve.
RUN --mount=type=cache,id=pnpm-store,target=/root/.local/share/pnpm/store \
    test "${SERVICE}" != console -a "${SERVICE}" != storefront \
 || { pnpm install --frozen-lockfile --filter-prod @corner/console-pages... --filter-prod @corner/shop-pages... --filter-prod @corner/build-pages... \
 && node packages/console-pages/build/main.ts \
 && node packages/shop-pages/build/main.ts; }
# The controls of the simulators are for a trial alone: --build-arg SIMULATORS=1
ARG SIMULATORS
RUN test -n "${SIMULATORS}" || rm services/console/dist/development.js*
# Files that the programs read are where a checkout has them. packages/programs/src/outside.test.ts compares this list with the sources.
RUN test -n "${SERVICE}" || { echo 'SERVICE is missing: --build-arg SERVICE=orders' >&2; exit 1; } \
 && folder="services/${SERVICE}" files="services/${SERVICE}/migrations packages/chassis/migrations" \
 && case "${SERVICE}" in \
      gateway) files="${files} services/gateway/pages packages/contracts/specs/openapi.json packages/contracts/specs/examples.json" ;; \
      orders) files="${files} services/orders/node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf" ;; \
      notifications) files="${files} services/notifications/src/wallet/adapters/images" ;; \
      console) files= ;; \
      storefront) folder=services/console files= ;; \
      cli) folder=packages/cli files="package.json packages/sandbox/src/demo/demo-directory.json packages/compatibility/released packages/contracts/specs/examples.json" ;; \
      sandbox) folder=packages/sandbox files= ;; \
    esac \
 && mkdir -p /image packages/compatibility/released \
 && cp -r --parents "${folder}/dist" "${folder}/package.json" ${files} /image \
 && { test "${SERVICE}" != storefront || cp /image/services/console/dist/storefront.js /image/services/console/dist/main.js; } \
 && ln -s "${folder}" /image/service

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 HEALTH_PATH=/readyz
# Node's own young generation is as large as this, unless the container's memory is small: a smaller one is collected more often, which costs an
# eighth of the processor (docs/measurements.md). Each pool of the C library's memory would keep what it once needed. A stack trace names the line of the
# source, by the map beside the file.
ENV NODE_OPTIONS="--max-semi-space-size=32 --enable-source-maps" MALLOC_ARENA_MAX=1
COPY --from=build /image /app
# The only folder that a process may write to, for the few that keep files.
RUN install -d -o node -g node /data /data/messages
WORKDIR /app/service
# The files belong to root, so the process can read its code and not change it.
USER node
EXPOSE 8080
# A machine that starts everything at once is slow: until its first success a process has five minutes, which `up --wait` waits for. bash is in the
# image, asks without starting a Node, and needs no other program.
HEALTHCHECK --interval=5s --timeout=10s --start-period=300s --retries=6 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET %s HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' \"$HEALTH_PATH\" >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
CMD ["node", "dist/main.js"]
