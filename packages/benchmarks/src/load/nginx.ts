import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { type Program, startProgram } from './start-program.ts';

/** Whether nginx is installed. */
export async function hasNginx(): Promise<boolean> {
  return await promisify(execFile)('nginx', ['-v']).then(
    () => true,
    () => false,
  );
}

/** Starts an nginx of one process that responds to every request with this JSON. */
export const startStaticServer = (json: string): Promise<Program> =>
  startNginx('access_log off;', `default_type application/json; return 200 '${json}';`);

/** Starts an nginx of one process as a plain proxy with kept connections, and with a line in its log for each request. */
export const startPlainProxy = (upstream: string): Promise<Program> =>
  startNginx(
    `access_log FOLDER/access.log; upstream behind { server ${new URL(upstream).host}; keepalive 64; keepalive_requests 1000000; }`,
    'proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection "";',
  );

async function startNginx(http: string, location: string): Promise<Program> {
  const folder = await mkdtemp(`${tmpdir()}/corner-nginx-`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path FOLDER/${name};`).join(' ');
  return await startProgram(async (port) => {
    const settings = `daemon off; master_process off; pid FOLDER/pid; error_log FOLDER/error.log; events { worker_connections 1024; }
      http { ${paths} keepalive_requests 1000000; ${http} server { listen 127.0.0.1:${port}; location / { ${location} } } }`;
    await writeFile(`${folder}/nginx.conf`, settings.replaceAll('FOLDER', folder));
    return { command: 'nginx', args: ['-c', `${folder}/nginx.conf`] };
  });
}
