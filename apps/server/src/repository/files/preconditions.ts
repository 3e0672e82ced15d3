import { namesEtag } from '../../foundation/http/answers/content-headers.ts';
import { AppError } from '../../foundation/http/index.ts';
import { etagOf } from './files.view.ts';

export type Preconditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined };

/**
 * Checks If-Match and If-None-Match of a write against the current checksum, which is null if there is no file. RFC
 * 9110, 13.1.
 */
export function checkPreconditions({ ifMatch, ifNoneMatch }: Preconditions, checksum: Buffer | null): void {
  if (ifMatch !== undefined && !(checksum && matches(ifMatch, checksum))) {
    throw failed('The file does not match If-Match');
  }
  if (ifNoneMatch !== undefined && checksum && matches(ifNoneMatch, checksum)) {
    throw failed('The file matches If-None-Match');
  }
}

const matches = (header: string, checksum: Buffer): boolean => namesEtag(header, etagOf(checksum));

const failed = (message: string): AppError => new AppError('CONFLICT', message, { status: 412 });
