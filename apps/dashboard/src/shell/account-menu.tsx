import './all-styles.ts';
import { ActionIcon, Avatar, Box, Menu, Text } from '@mantine/core';
import { IconLogout, IconSettings } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { sessionKey } from '../api/session.ts';
import { dropAllDrafts } from '../editor/drafts.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

export default function AccountMenu({ name, email, picture }: { name: string; email: string; picture: string }) {
  const words = useWords(shellWords);
  const client = useQueryClient();
  const signOut = async () => {
    try {
      await call('POST /auth/sign-out');
    } catch (error) {
      return toastRefusal(error);
    }
    // The next user must not see data of the previous one.
    client.clear();
    await dropAllDrafts();
    client.setQueryData(sessionKey, null);
    window.location.assign('/sign-in');
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={words.account(name)}>
          <Avatar src={avatarSource(picture)} alt="" size={28} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py={6}>
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {email}
          </Text>
        </Box>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} />}>
          {words.settings}
        </Menu.Item>
        <Menu.Item onClick={signOut} leftSection={<IconLogout size={16} />}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
