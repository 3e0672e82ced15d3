import type { ProjectDetail } from '@bottega/contract';
import { Avatar, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { collaboratorsQuery } from '../api/rights.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import { Card } from '../kit/card.tsx';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

/** Shows the owner first, then collaborators who have accepted. */
export function PeopleCard({ project }: { project: ProjectDetail }) {
  const words = useWords(overviewWords);
  const { data = [] } = useQuery(collaboratorsQuery(project.id));
  const others = data.filter(({ status }) => status === 'active');
  const [shown, rest] = [others.slice(0, 8), others.slice(8).length];
  return (
    <Card
      title={words.people}
      action={{ to: '/projects/$projectId/people', params: { projectId: project.id } }}
      actionWord={words.all}
    >
      <Group gap="xs">
        <Person name={project.owner.name} picture={`/avatars/${project.owner.id}.svg`} isOwner />
        {shown.map(({ id, user }) => (
          <Person key={id} name={user.name} picture={avatarSource(user.avatar_url)} />
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

type PersonProps = { name: string | null; picture: string | null; isOwner?: boolean };

function Person({ name, picture, isOwner = false }: PersonProps) {
  return (
    <Group gap={6} wrap="nowrap">
      <Avatar src={picture} alt="" size={22} />
      <Text size="sm" fw={isOwner ? 600 : 400}>
        {name}
      </Text>
    </Group>
  );
}
