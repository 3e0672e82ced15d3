import type { File, FileListQuery } from '@bottega/contract';
import { invalid, type Principal } from '../../foundation/http/index.ts';
import type { Content } from './read-content.service.ts';

export type DiskListing = Pick<FileListQuery, 'path' | 'type' | 'limit' | 'cursor'>;

/** Files on the disks of workspaces, which another slice serves. */
export type DiskReads = {
  /** One entry more than the page size shows that there is another page. */
  list(principal: Principal, projectId: string, listing: DiskListing & { workspace: string }): Promise<File[]>;
  read(principal: Principal, projectId: string, wanted: { id: string; workspace: string }): Promise<Content>;
};

type Place = { ref?: unknown; branch?: unknown; recursive?: boolean };

/**
 * Throws if the request does not fit a disk. A disk has only the current files of one branch, so no ref or branch can
 * be given. It also has `node_modules`, so it is listed one directory at a time.
 */
export function mustBeOnDisk({ ref, branch, recursive }: Place): void {
  const given = Object.entries({ ref, branch, recursive: recursive || undefined });
  const [other] = given.find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) throw invalid(other, 'cannot be combined with workspace');
}
