import { startNode } from '../../testing/node.ts';
import { recordingTexts } from '../../testing/recording-texts.ts';

// A node in a process of its own, so that it can be killed or paused.
const { connection, secretKey, settings } = JSON.parse(process.env.TEST_NODE ?? '{}');
const node = await startNode({
  connection,
  settings,
  secretKey: Buffer.from(secretKey, 'hex'),
  createLiveTexts: recordingTexts,
});
process.send?.(node.url);
