import type { ProjectDetail } from '@bottega/contract';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { collaboratorsQuery } from '../api/rights.ts';
import { Card } from '../kit/card.tsx';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

/** Shows the owner first, then collaborators who have accepted. */
export function PeopleCard({ project }: { project: ProjectDetail }) {
  const words = useWords(overviewWords);
  const { data = [] } = useQuery(collaboratorsQuery(project.id));
  const others = data.filter(({ status }) => status === 'active').map(({ user }) => user.name);
  const [shown, rest] = [others.slice(0, 8), others.slice(8).length];
  return (
    <Card
      title={words.people}
      action={{ to: '/projects/$projectId/people', params: { projectId: project.id } }}
      actionWord={words.all}
    >
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {project.owner.name}
        </Text>
        {shown.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name
          <Text key={index} size="sm">
            {name}
          </Text>
        ))}
        {rest > 0 && (
          <Text size="sm" c="dimmed">
            {words.more(rest)}
          </Text>
        )}
      </Group>
    </Card>
  );
}
