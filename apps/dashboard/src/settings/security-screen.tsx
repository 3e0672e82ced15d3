import { DeleteAccountSection } from './delete-account-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function SecurityScreen() {
  return (
    <>
      <PasswordSection />
      <SecondFactorSection />
      <SessionsSection />
      <DeleteAccountSection />
    </>
  );
}
