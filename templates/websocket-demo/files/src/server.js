import { createApp } from './app.js';

const port = Number(process.env.PORT ?? 3000);
const { server, close } = createApp();

server.listen(port, () => console.log(`http://localhost:${server.address().port}`));

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => close(() => process.exit(0)));
