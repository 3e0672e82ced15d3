import { createHash } from 'node:crypto';
import type { LiveText } from './live-text.ts';
import { type Member, subscribe } from './members.ts';

/** Answers `open_file` with the whole text. From this revision on the member gets every further one. */
export async function sendFileState(member: Member, text: LiveText, seq: number | undefined): Promise<void> {
  // It stays open for the member from now on, or it might be closed meanwhile.
  member.openTexts.add(text);
  if (!(await member.peer.readyForText(text.lines.bytes))) return;
  subscribe(member, text);
  const timestamp = new Date().toISOString();
  member.peer.send({ type: 'file_state', ...stateOf(text), timestamp, ...(seq !== undefined && { seq }) });
}

/** Answers a change for a revision that is not known any more. */
export async function sendResync(member: Member, text: LiveText, seq: number | undefined): Promise<void> {
  if (!(await member.peer.readyForText(text.lines.bytes))) return;
  member.peer.send({ type: 'resync', ...stateOf(text), ...(seq !== undefined && { seq }) });
}

/** In one step with its sending: a revision in between would be missing. */
function stateOf({ path, lines }: LiveText) {
  const content = lines.text.toString();
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { file_path: path, revision: lines.revision, content, checksum };
}
