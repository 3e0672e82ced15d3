import { Stack } from '@mantine/core';
import type { FileChange } from '../history/changed-file.tsx';
import { Near } from '../kit/near.tsx';
import type { Versions } from './diff-query.ts';
import { ReviewFile } from './review-file.tsx';
import type { Viewed } from './use-viewed.ts';

/** Files that enter and leave the page together while the reader is far from them. */
const filesOfGroup = 20;
/**
 * Estimated heights in pixels, used until a file has been in the page: of its heading, of a line, and of a diff that is
 * not read yet.
 */
const [heading, lineHeight, unread] = [40, 18, 240];

type Props = { files: readonly FileChange[]; versions: Versions; viewed: Viewed | null };

/** All changed files. Only those near the window are in the page: a request may change thousands. */
export function ReviewFiles({ files, versions, viewed }: Props) {
  const groups: { from: number; files: FileChange[] }[] = [];
  for (let from = 0; from < files.length; from += filesOfGroup) {
    groups.push({ from, files: files.slice(from, from + filesOfGroup) });
  }
  const heightOf = (file: FileChange) => heading + (viewed?.paths.has(file.path) ? 0 : heightOfDiff(file));
  return (
    <Stack gap={0} className="review-files" miw={0}>
      {groups.map((group) => (
        <Near
          key={group.from}
          data-files-from={group.from}
          estimate={group.files.reduce((sum, file) => sum + heightOf(file), 0)}
          startsNear={group.from === 0}
        >
          {() =>
            group.files.map((file, index) => (
              <Near
                key={file.path}
                data-file={group.from + index}
                estimate={heightOf(file)}
                startsNear={group.from + index < 3}
                pb="sm"
              >
                {() => (
                  <ReviewFile
                    file={file}
                    versions={versions}
                    viewing={
                      viewed && {
                        isViewed: viewed.paths.has(file.path),
                        mark: (isViewed) => viewed.mark(file.path, isViewed),
                      }
                    }
                  />
                )}
              </Near>
            ))
          }
        </Near>
      ))}
    </Stack>
  );
}

const heightOfDiff = ({ diff }: FileChange): number => (diff === null ? unread : diff.split('\n').length * lineHeight);
