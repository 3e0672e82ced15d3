import { Anchor, Group, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { deploymentsWords } from '../deployments/deployments.words.ts';
import { branchPreviewsQuery } from '../deployments/deployments-query.ts';
import { AnchorLink } from '../kit/links.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { requestWords } from './request.words.ts';
import { useReview } from './review-context.ts';

/**
 * The newest preview of the source, with a link to the one that is served. While a new preview is being built, the
 * previous one is served.
 */
export function RequestPreview() {
  const words = useWords(requestWords);
  const ofDeployments = useWords(deploymentsWords);
  const { which, request, isMember } = useReview();
  const { projectId } = which;
  const { data } = useQuery({
    ...branchPreviewsQuery(projectId, request.source),
    enabled: isMember && !request.source_project,
  });
  if (!data?.newest) return null;
  const { id: deploymentId, status } = data.newest;
  return (
    <Group gap="xs">
      <AnchorLink
        to="/projects/$projectId/deployments/$deploymentId"
        params={{ projectId, deploymentId }}
        display="inline-flex"
      >
        <Group gap={6} wrap="nowrap">
          <StatusIcon status={status} />
          <Text size="sm" span>
            {words.preview(ofDeployments[status])}
          </Text>
        </Group>
      </AnchorLink>
      {data.served?.branch_url && (
        <Anchor
          href={data.served.branch_url}
          target="_blank"
          rel="noreferrer"
          size="sm"
          display="inline-flex"
          style={{ alignItems: 'center', gap: 4 }}
        >
          <IconExternalLink size={14} aria-hidden />
          {words.openPreview}
        </Anchor>
      )}
    </Group>
  );
}
