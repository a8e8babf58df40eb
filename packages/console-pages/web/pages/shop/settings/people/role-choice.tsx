import { Choice } from '../../../../components/index.ts';
import { type Role, roleNames, roleTexts } from './people.ts';

interface RoleProps {
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly onChoose: (role: Role) => void;
}

export const RoleChoice = ({ role, roles, onChoose }: RoleProps) => (
  <>
    <Choice
      label="Role"
      value={role}
      options={roles.map((each) => [each, roleNames[each]] as const)}
      onChoose={(value) => onChoose(value as Role)}
    />
    <p className="quiet">{roleTexts[role]}</p>
  </>
);
