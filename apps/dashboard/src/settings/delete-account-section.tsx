import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { call } from '../api/client.ts';
import { ConfirmWithPassword } from '../kit/confirm-with-password.tsx';
import { Section } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { securityWords } from './security.words.ts';

export function DeleteAccountSection() {
  const words = useWords(securityWords);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section title={words.delete} hint={words.deleteHint}>
      <Button color="red.8" onClick={open}>
        {words.doDelete}
      </Button>
      {isOpen && (
        <ConfirmWithPassword
          title={words.deleteTitle}
          hint={words.deleteHint}
          yes={words.doDelete}
          isDangerous
          close={close}
          act={async (confirmation) => {
            await call('POST /auth/delete-account', { body: confirmation });
            // A full page load clears all data of the account from this page.
            window.location.assign('/sign-in');
          }}
        />
      )}
    </Section>
  );
}
