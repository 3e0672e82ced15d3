import type { Deployment } from '@bottega/contract';
import { Code, Stack, Text } from '@mantine/core';
import type { Place } from '../api/project.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Reason } from '../kit/reason.tsx';
import { Problem } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';

/** Shows what went wrong, the service's message, and what the user can do. */
export function Failure({ error, place }: { error: NonNullable<Deployment['error']>; place: Place }) {
  const words = useWords(deploymentWords);
  const { type, message, exit_code: code, output, source } = error;
  // The app has exited, and did not merely fail to respond.
  const isCrash = type === 'unhealthy' && code !== null;
  if (type === 'canceled') return null;
  return (
    <Problem title={isCrash ? words.crashed : words[type]}>
      <Stack gap={4}>
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          <Reason field="message" of={error} />
        </Text>
        {output && (
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {output}
          </Code>
        )}
        {source && (
          <AnchorLink
            to="/projects/$projectId/files"
            params={{ projectId: place.projectId }}
            search={{
              ref: place.branch,
              path: `/${source.file}`,
              ...(source.line !== null && { line: source.line }),
            }}
            size="sm"
            ff="monospace"
          >
            {source.line === null ? source.file : `${source.file}:${source.line}`}
          </AnchorLink>
        )}
        <Text size="sm" c="dimmed">
          {code !== null && !message.includes(String(code)) && `${words.exitCode(code)} `}
          {isCrash ? words.crashed_hint : words[`${type}_hint`]}
        </Text>
      </Stack>
    </Problem>
  );
}
