// The token, where the coordinator wants one.
import { h, text } from "../dom.js";
import { signIn } from "../farm.js";

/** A form for the token; calls `done` once it was accepted. */
export function signInView(done) {
  const token = h("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
  const problem = h("p", { class: "bad", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    const refused = await signIn(token.value);
    if (refused) text(problem, refused);
    else done();
  };
  return h("section", { class: "card" },
    h("h1", {}, "Sign in"),
    h("p", {}, "This farm wants its token, the one that workers and commands send."),
    h("form", { onsubmit: submit, class: "actions" },
      h("label", { for: "token" }, "Token"), token, h("button", { type: "submit" }, "Sign in")),
    problem);
}
