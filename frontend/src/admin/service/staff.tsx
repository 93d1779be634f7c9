/** The staff: create members, whose token is shown once, and delete them. */
import { unwrap } from "@azul-games/client";
import { Copy, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import { Confirmation, Dialog } from "../../parts/design/dialog";
import { Icon } from "../../parts/design/icon";
import { SelectField } from "../../parts/fields";
import { onSubmit, useResultToast } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { Badge, Heading, PagedList, usePages, When } from "../parts";

type Member = Schemas["StaffMember"];
const ROLES = ["moderator", "admin"] as const;
const MAX_NAME = 40;

export function StaffPage() {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<Schemas["CreatedStaffMember"] | null>(null);
  const [leaving, leave] = useState<Member | null>(null);
  const pages = usePages<Member>(
    async () => ({ items: unwrap(await staff.GET("/v1/admin/staff")).staff, next: null }),
    [staff],
  );
  const create = async (name: string, role: Member["role"]) => {
    setCreated(unwrap(await staff.POST("/v1/admin/staff", { body: { name, role } })));
    await pages.reload();
  };
  const remove = async ({ id }: Member) => {
    unwrap(await staff.DELETE("/v1/admin/staff/{staff_id}", { params: { path: { staff_id: id } } }));
    await pages.reload();
  };
  return (
    <>
      <Heading title={words.sections.staff}>
        <button class="primary" onClick={() => setIsCreating(true)}>
          <Icon icon={UserPlus} />
          {words.addMember}
        </button>
      </Heading>
      <PagedList pages={pages} empty={words.noStaff} keyOf={({ id }) => id}>
        {(member) => (
          <>
            <div>
              <b>{member.name}</b>
              <p class="note">
                {words.since} <When at={member.created_at} />
              </p>
            </div>
            <Badge>{words.roles[member.role]}</Badge>
            <button class="danger" aria-label={words.deleteMember(member.name)} onClick={() => leave(member)}>
              {words.delete}
            </button>
          </>
        )}
      </PagedList>
      {isCreating && (
        <MemberDialog
          close={() => setIsCreating(false)}
          send={(name, role) => {
            setIsCreating(false);
            showResult(create(name, role));
          }}
        />
      )}
      {created && <TokenDialog created={created} close={() => setCreated(null)} />}
      {leaving && (
        <Confirmation
          title={words.deleteMember(leaving.name)}
          text={words.deleteMemberSure}
          yes={words.delete}
          confirm={() => {
            leave(null);
            showResult(remove(leaving), words.memberDeleted);
          }}
          close={() => leave(null)}
        />
      )}
    </>
  );
}

function MemberDialog({ send, close }: { send: (name: string, role: Member["role"]) => void; close: () => void }) {
  const { words } = useAdmin();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Member["role"]>("moderator");
  return (
    <Dialog title={words.addMember} close={close}>
      <form class="stack" onSubmit={onSubmit(() => send(name.trim(), role))}>
        <label class="field">
          <span>{words.name}</span>
          <input
            required
            maxLength={MAX_NAME}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <SelectField label={words.role} value={role} choose={(chosen) => setRole(chosen as Member["role"])}>
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {words.roles[each]}
            </option>
          ))}
        </SelectField>
        <p class="note">{words.roleNotes[role]}</p>
        <div class="tools">
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <button class="primary">{words.create}</button>
        </div>
      </form>
    </Dialog>
  );
}

/** The token of a new member. The service cannot show it again. */
function TokenDialog({ created, close }: { created: Schemas["CreatedStaffMember"]; close: () => void }) {
  const { words } = useAdmin();
  const showResult = useResultToast();
  return (
    <Dialog title={words.tokenOf(created.member.name)} close={close}>
      <p>{words.tokenOnce}</p>
      <p>
        <code class="secret">{created.token}</code>
      </p>
      <div class="tools">
        <button onClick={() => showResult(navigator.clipboard.writeText(created.token), words.copied)}>
          <Icon icon={Copy} />
          {words.copy}
        </button>
        <button class="primary" onClick={close}>
          {words.done}
        </button>
      </div>
    </Dialog>
  );
}
