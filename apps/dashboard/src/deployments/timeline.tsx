import type { Deployment } from '@bottega/contract';
import { Text, Timeline } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { StatusIcon } from '../kit/status-icon.tsx';
import { exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';
import { deploymentsWords } from './deployments.words.ts';
import { isUnderWay } from './deployments-query.ts';

/** Shows three steps (queued, building and the result), each with its time. Future steps are pale. */
export function StatusTimeline({ deployment }: { deployment: Deployment }) {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const { status, created_at, started_at, completed_at, queue_position, duration } = deployment;
  const end = isUnderWay(deployment) ? 'success' : (status as 'success');
  const reached = completed_at ? 2 : started_at ? 1 : 0;
  const bullet = (step: number, icon: Deployment['status']) => (
    <StatusIcon status={step > reached ? 'pending' : icon} size={20} />
  );
  return (
    <Timeline
      active={reached}
      bulletSize={20}
      lineWidth={2}
      color="gray.5"
      className="progress"
      aria-label={words.progress}
    >
      <Timeline.Item title={words.queued} bullet={bullet(0, status === 'pending' ? 'pending' : 'success')}>
        <Moment at={created_at} />
        {queue_position !== null && (
          <Text size="xs" c="dimmed">
            {list.queuedAs(queue_position)}
          </Text>
        )}
      </Timeline.Item>
      <Timeline.Item
        title={list.building}
        bullet={bullet(1, status === 'building' ? 'building' : started_at ? 'success' : 'pending')}
      >
        {started_at && <Moment at={started_at} />}
        {started_at && !completed_at && <Elapsed since={started_at} />}
      </Timeline.Item>
      <Timeline.Item title={list[end]} bullet={bullet(2, end)}>
        {completed_at && <Moment at={completed_at} />}
        {completed_at && duration !== null && (
          <Text size="xs" c="dimmed">
            {list.took}: {list.seconds(duration)}
          </Text>
        )}
      </Timeline.Item>
    </Timeline>
  );
}

function Moment({ at }: { at: string }) {
  const language = useLanguage();
  return (
    <Text size="xs" c="dimmed">
      <time dateTime={at}>{exactly(at, language)}</time>
    </Text>
  );
}

function Elapsed({ since }: { since: string }) {
  const words = useWords(deploymentsWords);
  const [now, setNow] = useState(Date.now());
  const { start, stop } = useInterval(() => setNow(Date.now()), 1000);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  return (
    <Text size="xs" c="dimmed">
      {words.seconds(Math.max(0, Math.round((now - Date.parse(since)) / 1000)))}
    </Text>
  );
}
