import { createServer } from 'node:http';

// A replica that responds with its name, and is not ready while it drains: from SIGTERM until its parent sends `stop`.
const [name = '', host = '127.0.0.1', port = '0'] = process.argv.slice(2);
let draining = false;
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/readyz') return void response.writeHead(draining ? 503 : 200).end(JSON.stringify({ draining }));
  request.resume().once('end', () => setImmediate(() => response.end(name)));
});
server.listen(Number(port), host, () => process.send?.(server.address()));
process.on('SIGTERM', () => {
  draining = true;
});
process.on('message', () => {
  server.close(() => process.exit(0));
  setInterval(() => server.closeIdleConnections(), 5);
});
