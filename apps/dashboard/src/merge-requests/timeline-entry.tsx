import type { MergeRequestVersion, Review } from '@bottega/contract';
import { Badge, Box, Code, Group, Text } from '@mantine/core';
import { IconCheck, IconEye, IconGitCommit, IconMessageX } from '@tabler/icons-react';
import { AnchorLink } from '../kit/links.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { requestWords } from './request.words.ts';
import { RequestMarkdown } from './request-markdown.tsx';
import { useReview } from './review-context.ts';
import { ThreadCard } from './thread-card.tsx';
import type { Entry } from './timeline.ts';

export function TimelineEntry({ entry }: { entry: Entry }) {
  if (entry.kind === 'version') return <Pushed version={entry.version} />;
  if (entry.kind === 'review') return <Reviewed review={entry.review} />;
  return <ThreadCard thread={entry.thread} isApart />;
}

function Pushed({
  version: { version, head_sha: sha, pushed_by: by, created_at: at },
}: {
  version: MergeRequestVersion;
}) {
  const words = useWords(requestWords);
  const { which, request } = useReview();
  const params = { projectId: which.projectId, number: String(which.number) };
  const search = { tab: 'changes' as const, from: version - 1, to: version === request.version ? undefined : version };
  return (
    <div className="timeline-entry">
      <IconGitCommit size={16} aria-hidden />
      <Text size="sm" span>
        {version === 1
          ? words.opened(request.author?.name ?? words.deletedAccount)
          : words.pushed(by?.name ?? words.somebody, version)}
      </Text>
      <Code>{sha.slice(0, 8)}</Code>
      <Text size="xs" c="dimmed" span>
        <Ago at={at} />
      </Text>
      {version > 1 && (
        <AnchorLink
          to="/projects/$projectId/merge-requests/$number"
          params={params}
          search={search}
          size="xs"
          aria-label={`${words.whatChanged}: ${words.ofVersion(version)}`}
        >
          {words.whatChanged}
        </AnchorLink>
      )}
    </div>
  );
}

const icons = { APPROVE: IconCheck, REQUEST_CHANGES: IconMessageX, COMMENT: IconEye };
const colours = { APPROVE: 'var(--added-text)', REQUEST_CHANGES: 'var(--removed-text)', COMMENT: 'inherit' };

function Reviewed({ review }: { review: Review }) {
  const words = useWords(requestWords);
  const { which } = useReview();
  const { event, author, body, version, holds, submitted_at: at } = review;
  const Icon = icons[event];
  return (
    <Box component="article" className="surface" aria-label={words[event](author?.name ?? words.deletedAccount)}>
      <Group px="sm" py={6} gap="xs" {...(body !== '' && { className: 'card-heading' })}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Icon size={16} aria-hidden style={{ color: colours[event], flex: 'none', marginTop: 2 }} />
          <Text size="sm" fw={600} span className="breaks-anywhere">
            {words[event](author?.name ?? words.deletedAccount)}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" span>
          {words.ofVersion(version)}, <Ago at={at} />
        </Text>
        {!holds && event !== 'COMMENT' && (
          <Badge size="xs" variant="default">
            {words.notNewest}
          </Badge>
        )}
      </Group>
      {body !== '' && (
        <Box p="sm">
          <RequestMarkdown text={body} projectId={which.projectId} />
        </Box>
      )}
    </Box>
  );
}
