import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './lib/site.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const output = join(root, 'dist');

const pages = await buildSite({ root, output });
console.log(`${pages.length} pages in dist/`);

if (process.argv.includes('--serve')) serve(Number(process.env.PORT ?? 3000));

/** For writing only: it builds again at every change. */
function serve(port) {
  const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      const content = await readFile(join(output, path));
      response.writeHead(200, { 'content-type': `${types[extname(path)] ?? 'application/octet-stream'}; charset=utf-8` });
      response.end(content);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page\n');
    }
  });
  server.listen(port, () => console.log(`http://localhost:${port}`));

  let due;
  for (const folder of ['docs', 'assets']) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(due);
      due = setTimeout(() => buildSite({ root, output }).catch((error) => console.error(error.message)), 100);
    });
  }
}
