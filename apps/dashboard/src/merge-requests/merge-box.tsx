import type { Comparison, Review } from '@bottega/contract';
import { Box, Code, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../kit/links.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { InQueue } from './in-queue.tsx';
import { MergeForm } from './merge-form.tsx';
import { Missing, Stops } from './missing.tsx';
import { requestWords } from './request.words.ts';
import { branchDistanceQuery, readinessQuery } from './requests-query.ts';
import { useReview } from './review-context.ts';
import { sourceRef } from './source-name.ts';
import { verdictOf } from './timeline.ts';

/** Number of files with conflicts that are named. */
const mostConflicts = 10;

/** What stops a merge, and how to merge. */
export function MergeBox({ reviews }: { reviews: readonly Review[] }) {
  const words = useWords(requestWords);
  const { request } = useReview();
  return (
    <Box component="section" className="surface" p="sm" aria-label={words.mergeHeading}>
      <Stack gap="sm">
        <Title order={2} fz="sm">
          {words.mergeHeading}
        </Title>
        {request.state === 'merged' && <Merged />}
        {request.state === 'closed' && <Text size="sm">{words.isClosed}</Text>}
        {request.state === 'open' && <Open reviews={reviews} />}
      </Stack>
    </Box>
  );
}

function Merged() {
  const words = useWords(requestWords);
  const { request } = useReview();
  return (
    <Text size="sm" role="status">
      {words.mergedInto(request.merged_by?.name ?? words.deletedAccount, request.target)}{' '}
      {request.merge_sha && <Code>{request.merge_sha.slice(0, 8)}</Code>}{' '}
      {request.merged_at && <Ago at={request.merged_at} />}
    </Text>
  );
}

function Open({ reviews }: { reviews: readonly Review[] }) {
  const words = useWords(requestWords);
  const { which, request, threads, may } = useReview();
  const ends = { source: sourceRef(request), target: request.target };
  const distance = useQuery(branchDistanceQuery(which.projectId, ends));
  const readiness = useQuery(readinessQuery(which));
  const unresolved = threads.filter(({ resolved, comments }) => !resolved && comments.some(({ draft }) => !draft));
  const fits = distance.data !== undefined && isMergeable(distance.data);
  return (
    <>
      <Opinions reviews={reviews} />
      {unresolved.length > 0 && <Text size="sm">{words.openThreads(unresolved.length)}</Text>}
      {request.draft && <Stops>{words.isDraft}</Stops>}
      <Refusal
        error={distance.error ?? readiness.error}
        retry={distance.error ? distance.refetch : readiness.refetch}
      />
      {distance.isPending && (
        <Text size="sm" c="dimmed">
          {words.checking}
        </Text>
      )}
      {distance.data && <Fit distance={distance.data} />}
      {readiness.data && <Missing readiness={readiness.data} />}
      {request.queue && <InQueue place={request.queue} />}
      {!request.queue && may.write && (
        <MergeForm
          isReady={fits && !request.draft && readiness.data?.ready === true}
          canWait={!request.draft && readiness.data?.ready === false}
          canForward={distance.data?.behind === 0}
        />
      )}
      {!may.write && <Text size="sm">{words.cannotMerge}</Text>}
    </>
  );
}

const isMergeable = ({ status, mergeable }: Comparison): boolean =>
  (status === 'ahead' || status === 'diverged') && mergeable !== false;

function Opinions({ reviews }: { reviews: readonly Review[] }) {
  const words = useWords(requestWords);
  const people = new Map(reviews.flatMap(({ author }) => (author ? [[author.id, author.name] as const] : [])));
  const namesOf = (wanted: string) =>
    [...people].filter(([id]) => verdictOf(reviews, id) === wanted).map(([, name]) => name);
  const [approved, asked] = [namesOf('approved'), namesOf('changesRequested')];
  return (
    <>
      {approved.length > 0 && <Text size="sm">{words.isApprovedBy(approved.join(', '))}</Text>}
      {asked.length > 0 && <Stops>{words.asksForChanges(asked.join(', '))}</Stops>}
    </>
  );
}

/** Whether the branches fit together. Conflicts are resolved by merging the target into the source first. */
function Fit({ distance: { status, mergeable, conflicts } }: { distance: Comparison }) {
  const words = useWords(requestWords);
  const { which, request, may } = useReview();
  if (status === 'identical' || status === 'behind') return <Stops>{words.nothingLeft}</Stops>;
  if (status === 'unrelated') return <Stops>{words.unrelated}</Stops>;
  if (mergeable !== false) return <Text size="sm">{mergeable === null ? words.unknown : words.fits}</Text>;
  return (
    <Stops>
      <Text size="sm">{words.hasConflicts(conflicts.length)}</Text>
      <List size="sm" mb="xs">
        {conflicts.slice(0, mostConflicts).map((path) => (
          <List.Item key={path} className="breaks-anywhere">
            {path}
          </List.Item>
        ))}
        {conflicts.length > mostConflicts && <List.Item>{words.more(conflicts.length - mostConflicts)}</List.Item>}
      </List>
      {may.write && !request.source_project && (
        <ButtonLink
          to="/projects/$projectId/branches/compare"
          params={{ projectId: which.projectId }}
          search={{ base: request.source, head: request.target }}
          size="xs"
          variant="default"
        >
          {words.resolveConflicts}
        </ButtonLink>
      )}
    </Stops>
  );
}
