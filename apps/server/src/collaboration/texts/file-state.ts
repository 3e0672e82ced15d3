import { createHash } from 'node:crypto';
import { createPace, type Pace } from '../../foundation/concurrency/pace.ts';
import type { LiveText } from './live-text.ts';
import { type Member, subscribe } from './members.ts';
import { largeTextBytes } from './opening.ts';

/**
 * Responds to `open_file` with the whole text. From then on, the member gets every revision. False if the text was closed
 * meanwhile, so that nothing was sent.
 */
export async function sendFileState(member: Member, text: LiveText, seq: number | undefined): Promise<boolean> {
  if (!(await member.peer.readyForText(text.lines.bytes))) return true;
  const pace = createPace();
  const state = await readState(text, pace);
  if (text.state === 'closed') return false;
  subscribe(member, text);
  const timestamp = new Date().toISOString();
  member.peer.send({ type: 'file_state', ...state, timestamp, ...(seq !== undefined && { seq }) });
  void pace.maybeYield();
  return true;
}

/** Responds to a change whose base revision is no longer stored, with the whole text. */
export async function sendResync(member: Member, text: LiveText, seq: number | undefined): Promise<void> {
  if (!(await member.peer.readyForText(text.lines.bytes))) return;
  const pace = createPace();
  const state = await readState(text, pace);
  member.peer.send({ type: 'resync', ...state, ...(seq !== undefined && { seq }) });
  void pace.maybeYield();
}

const maxTries = 3;

/**
 * Reads the state of a text, which must be sent in the same step. Otherwise, the client would miss a revision in
 * between. Reading a large text and writing it as a message take some milliseconds each, so there is a pause in
 * between, unless people keep typing.
 */
async function readState(text: LiveText, pace: Pace) {
  if (text.lines.bytes <= largeTextBytes) return stateOf(text);
  for (let tries = 0; tries < maxTries; tries++) {
    const state = stateOf(text);
    await pace.maybeYield();
    if (text.lines.revision === state.revision) return state;
  }
  return stateOf(text);
}

function stateOf({ path, lines }: LiveText) {
  const content = lines.whole;
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { file_path: path, revision: lines.revision, content, checksum };
}
