import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Card } from '../kit/card.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { type Happened, happenedOf, toldTypes } from './activity.ts';
import { activityWords } from './activity.words.ts';

const maxShown = 6;

/** The latest activity. */
export function ActivityCard({ projectId }: { projectId: string }) {
  const words = useWords(activityWords);
  const { data = [] } = useQuery({
    queryKey: ['projects', projectId, 'activity'],
    queryFn: async ({ signal }) => {
      const query = {
        project_id: projectId,
        types: toldTypes.join(),
        format: 'reference',
        order: 'desc',
        limit: 60,
      } as const;
      return happenedOf((await call('GET /events', { query, signal })).data).slice(0, maxShown);
    },
  });
  if (data.length === 0) return null;
  const sentence = ({ type, who, what, count }: Happened) =>
    words[type as (typeof toldTypes)[number]](who ?? words.somebody, what, count);
  return (
    <Card title={words.title}>
      <Stack gap="xs">
        {data.map((happened, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may happen twice in one moment
          <div key={index}>
            <Text size="sm" className="breaks-anywhere">
              {sentence(happened)}
            </Text>
            <Text size="xs" c="dimmed">
              <Ago at={happened.at} />
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  );
}
