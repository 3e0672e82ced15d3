import { startNode } from '../../testing/node.ts';

// A node in a process of its own, so that it can be killed.
const { connection, secretKey, settings } = JSON.parse(process.env.TEST_NODE ?? '{}');
const node = await startNode({ connection, settings, secretKey: Buffer.from(secretKey, 'hex') });
process.send?.(node.url);
process.on('SIGTERM', () => void node.close().then(() => process.exit(0)));
