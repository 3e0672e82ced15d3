import { startNode } from '../testing/node.ts';

// A node in a process of its own, so that it can be killed.
const { connection, secretKey, settings } = JSON.parse(process.env.TEST_NODE ?? '{}');
await startNode({ connection, role: 'worker', settings, secretKey: Buffer.from(secretKey, 'hex') });
process.send?.('ready');
