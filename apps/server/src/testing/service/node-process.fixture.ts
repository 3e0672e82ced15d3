import type { ConnectionOptions } from '../../foundation/db/index.ts';
import { recordingTexts } from '../samples/recording-texts.ts';
import { startNode } from './node.ts';
import type { NodeOptions } from './node-process.ts';

type Told = NodeOptions & { connection: ConnectionOptions; secretKey: string };

const { secretKey, recordsTexts, ...options }: Told = JSON.parse(process.env.TEST_NODE ?? '{}');
const texts = recordsTexts && { createLiveTexts: recordingTexts };
const node = await startNode({ ...options, ...texts, secretKey: Buffer.from(secretKey, 'hex') });
process.send?.(node.url);
process.on('SIGTERM', () => void node.close().then(() => process.exit(0)));
