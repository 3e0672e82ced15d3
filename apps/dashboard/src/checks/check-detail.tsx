import '../deployments/deployments.css';
import type { CheckRun } from '@bottega/contract';
import { Box, Code, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { linkTo } from '../api/client.ts';
import { requestKey, type Which } from '../api/merge-request.ts';
import { LogPanel } from '../deployments/log-panel.tsx';
import { useLog } from '../deployments/use-log.ts';
import { Markdown } from '../kit/markdown.tsx';
import { useWords } from '../words/words.tsx';
import { checksWords } from './checks.words.ts';
import { remarksQuery, requestChecksQuery } from './checks-query.ts';
import { RemarkCard } from './remark-card.tsx';

type Props = { run: CheckRun; which: Which; canReadLog: boolean; line: number | undefined };

/** What a check ran, what it says, and its log. */
export default function CheckDetail({ run, which, canReadLog, line }: Props) {
  const words = useWords(checksWords);
  const { data: checks } = useQuery(requestChecksQuery(which));
  const { data: remarks = [] } = useQuery(remarksQuery(which, checks));
  const own = remarks.filter(({ checkId }) => checkId === run.id);
  return (
    <Stack gap="sm" mt="sm">
      {run.command !== null && (
        <Code block className="check-command">
          {run.command}
        </Code>
      )}
      {run.output.summary !== '' && <Summary run={run} />}
      {own.length > 0 && (
        <Stack component="section" gap="xs" aria-label={words.annotations(own.length)}>
          <Title order={3} fz="sm">
            {words.annotations(own.length)}
          </Title>
          {own.map((remark) => (
            <RemarkCard key={JSON.stringify(remark)} remark={remark} which={which} isApart />
          ))}
        </Stack>
      )}
      {run.source === 'project' && canReadLog && <Log run={run} which={which} line={line} />}
      {run.source === 'project' && !canReadLog && (
        <Text size="sm" c="dimmed">
          {words.logForMembers}
        </Text>
      )}
    </Stack>
  );
}

function Summary({ run: { project_id: projectId, output } }: Pick<Props, 'run'>) {
  return (
    <Box fz="sm">
      <Markdown
        text={output.summary}
        path="/"
        fileLink={(path) => `/projects/${projectId}/files?path=${encodeURIComponent(path)}`}
        pictureLink={() => undefined}
      />
    </Box>
  );
}

function Log({ run, which, line }: Omit<Props, 'canReadLog'>) {
  const client = useQueryClient();
  const params = { project_id: run.project_id, check_id: run.id };
  const log = useLog(
    (after) => linkTo('GET /projects/{project_id}/checks/{check_id}/logs', { params, query: { after } }),
    { onEnd: () => void client.invalidateQueries({ queryKey: requestKey(which) }) },
  );
  return <LogPanel log={log} name={`${run.name}-${run.id}`} line={line} />;
}
