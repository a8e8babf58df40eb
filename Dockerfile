# One recipe for every process: docker build --build-arg SERVICE=orders .
# The image holds the part of the workspace that SERVICE needs, unchanged. Node runs the TypeScript directly, but not inside
# node_modules, so the packages are not bundled or copied there.
ARG NODE_IMAGE=node:26.10.0-bookworm-slim

FROM ${NODE_IMAGE} AS slice
RUN npm install --global --no-fund --no-audit pnpm@12.21.0
WORKDIR /app
COPY . .
ARG SERVICE
# The controls of the simulators are for a trial alone: --build-arg SIMULATORS=1
ARG SIMULATORS
RUN test -n "${SIMULATORS}" || rm -rf services/console/src/sandbox services/console/src/development.ts
# The pages that the console and the storefront serve. Their libraries and their build are not part of the image.
RUN --mount=type=cache,id=pnpm-store,target=/root/.local/share/pnpm/store \
    test "${SERVICE}" != console \
 || { pnpm install --frozen-lockfile --filter-prod @corner/console-pages... --filter-prod @corner/shop-pages... --filter-prod @corner/build-pages... \
 && node packages/console-pages/build/main.ts \
 && node packages/shop-pages/build/main.ts \
 && rm -rf node_modules packages/*/node_modules; }
# Optional dependencies are Postgres, NATS and Node for machines without them; an image does not need them.
RUN --mount=type=cache,id=pnpm-store,target=/root/.local/share/pnpm/store \
    test -n "${SERVICE}" || { echo 'SERVICE is missing: --build-arg SERVICE=orders' >&2; exit 1; } \
 && pnpm install --frozen-lockfile --prod --no-optional --filter-prod "@corner/${SERVICE}..." \
 && pnpm --filter-prod "@corner/${SERVICE}..." list --depth -1 --parseable > /tmp/needed \
 && for folder in services/* packages/*; do grep -qx "/app/${folder}" /tmp/needed || rm -rf "${folder}"; done \
 && ln -s "$(ls -d services/"${SERVICE}" packages/"${SERVICE}" 2>/dev/null)" service \
 # Types, sources, source maps and texts of libraries: two thirds of what is installed, and no running process reads them.
 && find node_modules -type f -regextype posix-extended -regex '.*\.([cm]?ts|map|md|flow)' -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 HEALTH_PATH=/readyz
# Node's own young generation is as large as this, unless the container's memory is small: a smaller one is collected more often, which costs an
# eighth of the processor (docs/budgets.md). Each pool of the C library's memory would keep what it once needed.
ENV NODE_OPTIONS=--max-semi-space-size=16 MALLOC_ARENA_MAX=1
COPY --from=slice /app /app
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
CMD ["node", "src/main.ts"]
