import type { CreateThread, ReviewThread } from '@bottega/contract';
import { Stack } from '@mantine/core';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import type { Remark } from '../checks/checks-query.ts';
import { RemarkCard } from '../checks/remark-card.tsx';
import type { Side } from '../diff/diff-rows.ts';
import type { LineNotes } from '../diff/line-notes.ts';
import { linesIn } from '../diff/lines-in.ts';
import { useWords } from '../words/words.tsx';
import { CommentForm } from './comment-form.tsx';
import type { Versions } from './diff-query.ts';
import { linePlace, shownPlace } from './place-of-thread.ts';
import { type ReviewPage, useReview } from './review-context.ts';
import { threadWords } from './thread.words.ts';
import { ThreadCard } from './thread-card.tsx';

type Range = { side: Side; from: number; to: number };
type About = { path: string; versions: Versions; diff: string | null };
type Notes = About & { remarks: readonly Remark[] };

const inOrder = ({ side, from, to }: Range): Range => ({ side, from: Math.min(from, to), to: Math.max(from, to) });

/** The threads on the lines of a file, what checks say about them, and the form for a new thread. */
export function useLineComments({ path, versions, diff, remarks }: Notes): LineNotes {
  const words = useWords(threadWords);
  const review = useReview();
  const [chosen, setChosen] = useState<Range | null>(null);
  // The range of a drag is a ref, because the page is rendered again between the start and the end of the drag.
  const dragged = useRef<Range | null>(null);
  const [form, setForm] = useState<Range | null>(null);
  // The form moves when the range changes, and keeps its text.
  const typed = useRef('');
  const byLine = useMemo(
    () => threadsByLine(review.threads, path, versions, review.request.version),
    [review.threads, path, versions, review.request.version],
  );
  return useMemo((): LineNotes => {
    const shown = form ?? (chosen && inOrder(chosen));
    const choose = (range: Range | null) => {
      dragged.current = range;
      setChosen(range);
    };
    const close = () => {
      typed.current = '';
      setForm(null);
      choose(null);
    };
    return {
      below(side, line) {
        const threads = byLine.get(`${side} ${line}`) ?? [];
        const said = side === 'RIGHT' ? remarks.filter((remark) => remark.end_line === line) : [];
        const isHere = form?.side === side && form.to === line;
        if (threads.length + said.length === 0 && !isHere) return null;
        return (
          <Stack gap="xs">
            {said.map((remark) => (
              <RemarkCard key={JSON.stringify(remark)} remark={remark} which={review.which} />
            ))}
            {threads.map((thread) => (
              <ThreadCard key={thread.id} thread={thread} />
            ))}
            {isHere && <NewThread {...{ review, about: { path, versions, diff }, range: form, typed, close }} />}
          </Stack>
        );
      },
      choosing: review.may.comment
        ? {
            label: (side, line) => (side === 'LEFT' ? words.commentOnOld(line) : words.commentOn(line)),
            // Between two versions, the left side is not the merge base, to which threads on the left belong.
            takes: (side) => side === 'RIGHT' || versions.from === undefined,
            isChosen: (side, line) => shown?.side === side && shown.from <= line && line <= shown.to,
            begin: (side, line) => choose({ side, from: line, to: line }),
            extend(side, line) {
              if (dragged.current?.side === side) choose({ ...dragged.current, to: line });
            },
            finish() {
              const range = dragged.current;
              if (range && range.from !== range.to) setForm(inOrder(range));
            },
            open(side, line, extendsRange) {
              const isEnd = chosen?.side === side && (extendsRange || chosen.to === line);
              const range = isEnd ? { ...chosen, to: line } : { side, from: line, to: line };
              choose(range);
              setForm(inOrder(range));
            },
          }
        : undefined,
    };
  }, [byLine, remarks, form, chosen, review, path, versions, diff, words]);
}

function threadsByLine(
  threads: readonly ReviewThread[],
  path: string,
  versions: Versions,
  newest: number,
): ReadonlyMap<string, ReviewThread[]> {
  const here = threads.flatMap((thread) => {
    const place = linePlace(shownPlace(thread, versions, newest));
    return place?.path === path ? [{ key: `${place.side} ${place.line}`, thread }] : [];
  });
  const groups = Map.groupBy(here, ({ key }) => key);
  return new Map([...groups].map(([key, found]) => [key, found.map(({ thread }) => thread)]));
}

type NewProps = {
  review: ReviewPage;
  about: About;
  range: Range;
  typed: RefObject<string>;
  close: () => void;
};

function NewThread({ review, about, range, typed, close }: NewProps) {
  const words = useWords(threadWords);
  const box = useRef<HTMLDivElement>(null);
  const { side, from, to } = range;
  const heading = from === to ? words.newOn(to) : words.newOnLines(from, to);
  const place = { path: about.path, side, ...(from !== to && { start_line: from }), line: to };
  return (
    <div ref={box}>
      <CommentForm
        label={words.content}
        heading={heading}
        submit={words.comment}
        offersDraft
        lines={side === 'RIGHT' ? linesIn(about.diff ?? '', from, to) : null}
        typed={typed}
        send={(sent) => createThread(review, { ...place, version: about.versions.to, ...sent })}
        close={() => {
          // The focus returns to the line.
          const line = `[data-side=${side}][data-line="${to}"]`;
          box.current?.closest('.diff')?.querySelector<HTMLElement>(line)?.focus({ preventScroll: true });
          close();
        }}
      />
    </div>
  );
}

export const createThread = ({ which }: Pick<ReviewPage, 'which'>, body: CreateThread) =>
  call('POST /projects/{project_id}/merge-requests/{number}/threads', { params: requestParams(which), body });
