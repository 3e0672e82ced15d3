import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { CommentForm } from './comment-form.tsx';
import { createThread } from './line-comments.tsx';
import { MergeBox } from './merge-box.tsx';
import { requestWords } from './request.words.ts';
import { patchRequest, useRequestChange } from './request-heading.tsx';
import { RequestMarkdown } from './request-markdown.tsx';
import { RequestSidebar } from './request-sidebar.tsx';
import { reviewsQuery, versionsQuery } from './requests-query.ts';
import { useReview } from './review-context.ts';
import { threadWords } from './thread.words.ts';
import { timelineOf } from './timeline.ts';
import { TimelineEntry } from './timeline-entry.tsx';
import { useShownThread } from './use-shown-thread.ts';

/** What people said about the request, in the order of time, and the button to merge it. */
export default function Conversation({ thread }: { thread: string | undefined }) {
  const words = useWords(requestWords);
  const ofThreads = useWords(threadWords);
  const { which, threads, may, isMember } = useReview();
  const versions = useQuery(versionsQuery(which));
  const reviews = useQuery(reviewsQuery(which, isMember));
  const error = versions.error ?? reviews.error;
  useShownThread(thread, versions.data !== undefined && reviews.data !== undefined);
  return (
    <div className="request-grid">
      <Stack gap="md" miw={0}>
        <Description />
        <Refusal error={error} retry={versions.error ? versions.refetch : reviews.refetch} />
        {(versions.isPending || reviews.isPending) && <Loading lines={3} />}
        {versions.data && reviews.data && (
          <Stack component="section" gap="sm" aria-label={words.timeline}>
            {timelineOf({ versions: versions.data, reviews: reviews.data, threads }).map((entry) => (
              <TimelineEntry key={entry.key} entry={entry} />
            ))}
          </Stack>
        )}
        {reviews.data && <MergeBox reviews={reviews.data} />}
        {may.comment && (
          <Box component="section" aria-label={words.addComment}>
            <Title order={2} fz="sm" mb="xs">
              {words.addComment}
            </Title>
            <CommentForm
              label={ofThreads.content}
              submit={words.comment}
              send={({ body }) => createThread({ which }, { body })}
            />
          </Box>
        )}
      </Stack>
      {reviews.data && <RequestSidebar reviews={reviews.data} />}
    </div>
  );
}

function Description() {
  const words = useWords(requestWords);
  const { which, request } = useReview();
  const { mayChange } = useRequestChange();
  const [isEditing, setEditing] = useState(false);
  return (
    <Box component="section" className="surface" aria-label={words.description}>
      <Group justify="space-between" px="sm" py={6} className="card-heading">
        <Title order={2} fz="sm">
          {words.description}
        </Title>
        {mayChange && !isEditing && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={words.editDescription}
            onClick={() => setEditing(true)}
          >
            {words.editShort}
          </Button>
        )}
      </Group>
      <Box p="sm">
        {isEditing ? (
          <CommentForm
            label={words.description}
            text={request.description}
            submit={words.save}
            mayBeEmpty
            send={({ body }) => patchRequest(which, { description: body })}
            close={() => setEditing(false)}
          />
        ) : request.description.trim() === '' ? (
          <Text size="sm" c="dimmed">
            {words.noDescription}
          </Text>
        ) : (
          <RequestMarkdown text={request.description} projectId={which.projectId} />
        )}
      </Box>
    </Box>
  );
}
