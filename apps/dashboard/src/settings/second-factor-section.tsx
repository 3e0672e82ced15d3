import type {
  ConfirmWithPassword as Confirmation,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
} from '@bottega/contract';
import { Alert, Anchor, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { secondFactorQuery } from '../api/second-factor.ts';
import { ConfirmWithPassword } from '../kit/confirm-with-password.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { Form, Submit } from '../kit/form.tsx';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { securityWords } from './security.words.ts';

type Step = 'setUp' | 'remove' | 'newCodes';

export function SecondFactorSection() {
  const words = useWords(securityWords);
  const client = useQueryClient();
  const factor = useQuery(secondFactorQuery);
  const [step, setStep] = useState<Step | null>(null);
  const [begun, setBegun] = useState<NewSecondFactor | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const showCodes = async ({ recovery_codes: created }: RecoveryCodes) => {
    setBegun(null);
    setCodes(created);
    await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  };
  const acts: Record<Step, (confirmation: Confirmation) => Promise<void>> = {
    setUp: async (confirmation) => setBegun(await call('POST /auth/second-factor', { body: confirmation, ...once() })),
    newCodes: async (confirmation) =>
      showCodes(await call('POST /auth/second-factor/recovery-codes', { body: confirmation, ...once() })),
    remove: async (confirmation) => {
      await call('POST /auth/second-factor/remove', { body: confirmation });
      toast(words.removed);
      await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
    },
  };
  return (
    <Section title={words.factor} hint={words.factorHint}>
      <Refusal error={factor.error} retry={factor.refetch} />
      {factor.isPending && <Loading lines={2} />}
      {codes && <Codes codes={codes} kept={() => setCodes(null)} />}
      {begun && !codes && <EnterCode begun={begun} confirmed={showCodes} />}
      {factor.data && !begun && !codes && <FactorState factor={factor.data} start={setStep} />}
      {step && (
        <ConfirmWithPassword
          key={step}
          title={words[step]}
          yes={step === 'remove' ? words.remove : words.confirm}
          isDangerous={step === 'remove'}
          close={() => setStep(null)}
          act={acts[step]}
        />
      )}
    </Section>
  );
}

function FactorState({ factor, start }: { factor: SecondFactor; start: (step: Step) => void }) {
  const words = useWords(securityWords);
  const steps: Step[] = factor.enabled ? ['newCodes', 'remove'] : ['setUp'];
  return (
    <Stack align="flex-start" gap="xs">
      <Text size="sm">{factor.enabled ? `${words.on} ${words.codesLeft(factor.recovery_codes_left)}` : words.off}</Text>
      <Group gap="xs">
        {steps.map((step) => (
          <Button key={step} variant="default" onClick={() => start(step)}>
            {words[step]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

type EnterProps = { begun: NewSecondFactor; confirmed: (codes: RecoveryCodes) => Promise<void> };

function EnterCode({ begun, confirmed }: EnterProps) {
  const words = useWords(securityWords);
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => call('POST /auth/second-factor/confirm', { body: { code } }),
    onSuccess: confirmed,
  });
  return (
    <Form submit={confirm.mutate} maw={480}>
      <Text size="sm">{words.scan}</Text>
      {/* Black on white in both themes, because many scanners read nothing else. */}
      <QRCodeSVG
        value={begun.otpauth_url}
        size={176}
        marginSize={4}
        role="img"
        aria-label={words.picture}
        className="surface"
      />
      <CopyLine label={words.secret} value={begun.secret} />
      <Anchor href={begun.otpauth_url} size="sm">
        {words.openApp}
      </Anchor>
      <TextInput
        label={words.sixDigits}
        description={words.enterCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Submit sending={confirm}>{words.confirm}</Submit>
    </Form>
  );
}

function Codes({ codes, kept }: { codes: string[]; kept: () => void }) {
  const words = useWords(securityWords);
  return (
    <Alert color="green" variant="outline" role="status" styles={{ body: { minWidth: 0 } }}>
      <Stack>
        <Text size="sm">{words.codes}</Text>
        <SimpleGrid cols={2} spacing={4} aria-label={words.codesLabel}>
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <CopyLine label={words.codesLabel} value={codes.join(' ')} />
        <Button variant="default" onClick={kept} style={{ alignSelf: 'flex-start' }}>
          {words.kept}
        </Button>
      </Stack>
    </Alert>
  );
}
