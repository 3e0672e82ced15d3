import { createHash } from 'node:crypto';
import type { LiveText } from './live-text.ts';
import { type Member, subscribe } from './members.ts';

/** Responds to `open_file` with the whole text. From then on, the member gets every revision. */
export async function sendFileState(member: Member, text: LiveText, seq: number | undefined): Promise<void> {
  // Keeps the text open for the member, because it might be closed meanwhile.
  member.openTexts.add(text);
  if (!(await member.peer.readyForText(text.lines.bytes))) return;
  subscribe(member, text);
  const timestamp = new Date().toISOString();
  member.peer.send({ type: 'file_state', ...stateOf(text), timestamp, ...(seq !== undefined && { seq }) });
}

/** Responds to a change whose base revision is no longer stored, with the whole text. */
export async function sendResync(member: Member, text: LiveText, seq: number | undefined): Promise<void> {
  if (!(await member.peer.readyForText(text.lines.bytes))) return;
  member.peer.send({ type: 'resync', ...stateOf(text), ...(seq !== undefined && { seq }) });
}

/** The state is read and sent in one step. Otherwise, a revision in between would be missing. */
function stateOf({ path, lines }: LiveText) {
  const content = lines.text.toString();
  const checksum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { file_path: path, revision: lines.revision, content, checksum };
}
