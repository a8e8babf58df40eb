# One recipe for every process: docker build --build-arg SERVICE=orders .
# The image holds the workspace slice that SERVICE needs, as it stands in the repository: Node runs the TypeScript itself,
# and refuses to do so inside node_modules, so nothing is bundled or copied there.
ARG NODE_IMAGE=node:26-bookworm-slim

FROM ${NODE_IMAGE} AS slice
RUN npm install --global --no-fund --no-audit pnpm@12.21.0
WORKDIR /app
COPY . .
ARG SERVICE
# Optional dependencies are the servers and the Node that a bare machine lacks: an image has both already.
RUN --mount=type=cache,id=pnpm-store,target=/root/.local/share/pnpm/store \
    test -n "${SERVICE}" || { echo 'say which: --build-arg SERVICE=orders' >&2; exit 1; } \
 && pnpm install --frozen-lockfile --prod --no-optional --filter-prod "@corner/${SERVICE}..." \
 && find services packages -mindepth 1 -maxdepth 1 ! -name "${SERVICE}" ! -exec test -d '{}/node_modules' ';' -exec rm -rf '{}' + \
 && ln -s "$(ls -d services/"${SERVICE}" packages/"${SERVICE}" 2>/dev/null)" service

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 HEALTH_PATH=/readyz
COPY --from=slice /app /app
# The one place a process may write, for those few that keep something outside a database.
RUN install -d -o node -g node /data
WORKDIR /app/service
# Files stay root's: the process may read its own code and change none of it.
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${process.env.HEALTH_PATH}`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
