import { createServer } from 'node:http';
import { createApp } from './app.js';
import { createNotes } from './notes.js';

const port = Number(process.env.PORT ?? 3000);
const server = createServer(createApp({ notes: createNotes() }));

// Slow clients must not hold connections for ever.
server.requestTimeout = 30_000;
server.headersTimeout = 10_000;

server.listen(port, () => console.log(`{{project_name}} listens on http://localhost:${server.address().port}`));

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
}
