import { createServer } from 'node:http';

const server = createServer((request, response) => {
  response.statusCode = request.url === '/readyz' || request.url === '/mark' ? 200 : 404;
  response.end(process.env.MARK ?? 'none');
});
if (process.env.END_AT_ONCE) {
  process.stderr.write('this one cannot start\n');
  process.exit(3);
}
server.listen(process.env.PORT_FD ? { fd: Number(process.env.PORT_FD) } : { port: 0, host: '127.0.0.1' });
