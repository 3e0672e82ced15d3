import { AppError } from '../../foundation/http/index.ts';
import { isBinary } from '../../repository/objects/line-changes.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import type { HeadFileRow } from '../../repository/store/index.ts';
import type { LiveText } from './live-text.ts';
import { mergeOf, replacementOf } from './merge.ts';

export function mustBeShortEnough(bytes: number, limit: number): void {
  if (bytes > limit) throw notLive(`The file has more than ${limit} bytes and cannot be edited live`);
}

/** The content as text, or the reason why it is not text. */
export async function decodeContent(file: Pick<HeadFileRow, 'deflated' | 'size'>, limit: number): Promise<string> {
  mustBeShortEnough(file.size, limit);
  const bytes = await inflateObjectAsync(file.deflated, file.size);
  if (isBinary(bytes)) throw notLive('The file is binary and cannot be edited live');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notLive('The file is not UTF-8 text and cannot be edited live');
  }
}

const notLive = (message: string) => new AppError('CONFLICT', message);

type ChangedFile = Pick<HeadFileRow, 'id' | 'blob_sha'> & { content: string };

type Merging = { wasRemoved: boolean; changedBy?: string };

/**
 * Applies the file's changes since the text and the file last matched. If the file was deleted and created again, it
 * replaces the text.
 */
export function mergeIntoText(text: LiveText, file: ChangedFile, { wasRemoved, changedBy }: Merging): void {
  const { lines, saves } = text;
  const ours = lines.whole;
  const { content } = file;
  const changes = wasRemoved ? replacementOf(ours, content) : mergeOf(saves.base.content, ours, content);
  lines.edit(changes, null, changedBy);
  text.fileId = file.id;
  text.setBase({ sha: file.blob_sha, content }, { isStored: false });
}
