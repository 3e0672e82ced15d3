import { Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { placeOf } from '../api/project.ts';
import { RemarkCard } from '../checks/remark-card.tsx';
import { remarksApart, useRemarks } from '../checks/use-remarks.ts';
import { ChangedFile, type FileChange } from '../history/changed-file.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { useWords } from '../words/words.tsx';
import { changesWords } from './changes.words.ts';
import { CommentForm } from './comment-form.tsx';
import { readDiffOf, type Versions } from './diff-query.ts';
import { createThread, useLineComments } from './line-comments.tsx';
import { shownPlace } from './place-of-thread.ts';
import { useReview } from './review-context.ts';
import { sourceRef } from './source-name.ts';
import { threadWords } from './thread.words.ts';
import { ThreadCard } from './thread-card.tsx';

type Props = {
  file: FileChange;
  versions: Versions;
  /** Null if files cannot be marked as viewed, because not all changes are shown. */
  viewing: { isViewed: boolean; mark: (isViewed: boolean) => void } | null;
};

/** A changed file with the threads about it. A file that was viewed is closed. */
export function ReviewFile({ file, versions, viewing }: Props) {
  const words = useWords(threadWords);
  const { which, request, threads, may } = useReview();
  const isViewed = viewing?.isViewed ?? false;
  const [isOpen, setOpen] = useState(!isViewed);
  const [isCommenting, setCommenting] = useState(false);
  useEffect(() => setOpen(!isViewed), [isViewed]);
  const read = readDiffOf(which, versions);
  const later = useQuery({
    ...read(file.path),
    enabled: isOpen && file.diff === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const diff = file.diff ?? later.data?.diff ?? null;
  // Remarks are shown only for the newest version, because checks are about it.
  const remarks = useRemarks(which, file.path, versions.to === request.version);
  const apart = useMemo(() => remarksApart(remarks, diff), [remarks, diff]);
  const notes = useLineComments({ path: file.path, versions, diff, remarks });
  const ofFile = threads.filter((thread) => {
    const place = shownPlace(thread, versions, request.version);
    return place?.path === file.path && place.line === null;
  });
  return (
    <ChangedFile
      file={file}
      isOpen={isOpen}
      setOpen={setOpen}
      read={read}
      notes={notes}
      actions={
        <Actions
          path={file.path}
          isGone={file.status === 'deleted'}
          viewing={viewing}
          comment={
            may.comment
              ? () => {
                  setOpen(true);
                  setCommenting(true);
                }
              : null
          }
        />
      }
      above={
        (ofFile.length > 0 || apart.length > 0 || isCommenting) && (
          <Stack gap="xs" p="sm" className="card-heading">
            {apart.map((remark) => (
              <RemarkCard key={JSON.stringify(remark)} remark={remark} which={which} isApart />
            ))}
            {ofFile.map((thread) => (
              <ThreadCard key={thread.id} thread={thread} />
            ))}
            {isCommenting && (
              <CommentForm
                label={words.content}
                heading={words.newOnFile}
                submit={words.comment}
                offersDraft
                send={(sent) => createThread({ which }, { path: file.path, version: versions.to, ...sent })}
                close={() => setCommenting(false)}
              />
            )}
          </Stack>
        )
      }
    />
  );
}

type ActionsProps = {
  path: string;
  isGone: boolean;
  viewing: Props['viewing'];
  comment: (() => void) | null;
};

function Actions({ path, isGone, viewing, comment }: ActionsProps) {
  const words = useWords(changesWords);
  const ofThreads = useWords(threadWords);
  const { which, request, may } = useReview();
  const mayEdit = may.write && !request.source_project;
  return (
    <>
      {comment && <RowButton label={ofThreads.commentFile} of={path} onClick={comment} />}
      {!isGone && request.state === 'open' && (
        <AnchorLink
          to="/projects/$projectId/files"
          params={{ projectId: which.projectId }}
          search={{ ref: placeOf(which.projectId, sourceRef(request)).branch, path }}
          size="xs"
          aria-label={mayEdit ? words.editFile(path) : words.openFile(path)}
        >
          {mayEdit ? words.edit : words.open}
        </AnchorLink>
      )}
      {viewing && (
        <Checkbox
          size="xs"
          label={words.viewed}
          aria-label={words.isViewed(path)}
          data-viewed={path}
          checked={viewing.isViewed}
          onChange={(event) => viewing.mark(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
