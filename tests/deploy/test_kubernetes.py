"""The Kubernetes manifests are valid and consistent."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

import pytest

from service.app import app_of
from service.settings import Settings
from tests.deploy.samples import DEPLOY, ROOT, Yaml, dockerfile_environment, manifests

VERSION = "1.30"
"""The oldest supported version of Kubernetes."""
BY_NAME = {(one["kind"], one["metadata"]["name"]): one for one in manifests()}
WORKLOADS = {name: one for (kind, name), one in BY_NAME.items() if kind in ("Deployment", "StatefulSet")}
OURS = [name for name in WORKLOADS if name != "valkey"]
NAMESPACE = "azul-games"


def pod(name: str) -> Yaml:
    """Return the template of a workload's pods."""
    template: Yaml = WORKLOADS[name]["spec"]["template"]
    return template


def container(name: str) -> Yaml:
    """Return the container of a workload's pods."""
    (only,) = pod(name)["spec"]["containers"]
    return dict(only)


def selected_workloads(labels: Yaml) -> list[str]:
    """Return the workloads whose pods have these labels."""
    return [name for name in WORKLOADS if labels.items() <= pod(name)["metadata"]["labels"].items()]


def ports(name: str) -> dict[str, int]:
    """Return the ports of a workload by name."""
    return {one["name"]: one["containerPort"] for one in container(name).get("ports", ())}


def keys_of(kind: str, name: str) -> set[str]:
    """Return the keys of a ConfigMap or Secret."""
    content = BY_NAME[kind, name]
    return set(content.get("data", {}) | content.get("stringData", {}))


@pytest.mark.parametrize(("kind", "name"), [key for key in BY_NAME if key[0] != "ScaledObject"])
def test_manifest_matches_its_schema(kind: str, name: str) -> None:
    """KEDA's ScaledObject is left out, because no schema of it is installed."""
    validate = pytest.importorskip("kubernetes_validate", reason="pip install -e '.[deploy]'").validate
    validate(BY_NAME[kind, name], VERSION, strict=True)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="there is no kubectl")
def test_kubectl_builds_all_manifests() -> None:
    command = ["kubectl", "kustomize", str(DEPLOY / "kubernetes")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert built.stdout.count("\nkind: Deployment\n") == len(OURS)
    assert "image: azul-games-api:0.1.0\n" in built.stdout
    assert "start.sh: |" in built.stdout  # from deploy/redis


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_selects_its_own_pods(name: str) -> None:
    assert [name] == selected_workloads(WORKLOADS[name]["spec"]["selector"]["matchLabels"])
    for spread in pod(name)["spec"].get("topologySpreadConstraints", ()):
        assert [name] == selected_workloads(spread["labelSelector"]["matchLabels"])


def test_targets_of_services_budgets_scalers_and_the_ingress_exist() -> None:
    for (kind, name), one in BY_NAME.items():
        if kind == "Service":
            (target,) = selected_workloads(one["spec"]["selector"])
            assert {port["targetPort"] for port in one["spec"]["ports"]} <= set(ports(target))
        elif kind == "PodDisruptionBudget":
            assert [name] == selected_workloads(one["spec"]["selector"]["matchLabels"])
        elif kind in ("HorizontalPodAutoscaler", "ScaledObject"):
            target = one["spec"]["scaleTargetRef"]
            scaled = BY_NAME[target["kind"], target["name"]]
            assert "replicas" not in scaled["spec"]  # each apply would undo the scaling
    (path,) = BY_NAME["Ingress", "web"]["spec"]["rules"][0]["http"]["paths"]
    backend = path["backend"]["service"]
    assert backend["port"]["name"] in [port["name"] for port in BY_NAME["Service", backend["name"]]["spec"]["ports"]]


def environment_sources(name: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield kind, name and key of the ConfigMaps and Secrets in a workload's environment."""
    for source in container(name).get("envFrom", ()):
        for reference, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
            if reference in source:
                yield kind, source[reference]["name"], None
    for variable in container(name).get("env", ()):
        if "valueFrom" in variable:
            reference = variable["valueFrom"]["secretKeyRef"]
            yield "Secret", reference["name"], reference["key"]


@pytest.mark.parametrize("name", WORKLOADS)
def test_sources_of_the_environment_exist(name: str) -> None:
    found = list(environment_sources(name))
    assert found
    assert [] == [one for one in found if one[:2] not in BY_NAME or one[2] not in {None, *keys_of(one[0], one[1])}]


def test_probes_use_existing_routes_and_the_port_of_web() -> None:
    routes = {rule.rule for rule in app_of(Settings.from_environment({}), None).url_map.iter_rules()}
    web = container("web")
    probes = [web[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    assert ["/readyz", "/healthz", "/healthz"] == [probe["path"] for probe in probes]
    assert {probe["path"] for probe in probes} <= routes
    assert {int(dockerfile_environment()["PORT"])} == {ports("web")[probe["port"]] for probe in probes}


def test_the_processes_are_those_of_the_procfile() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text("utf-8").splitlines())
    assert set(lines) == set(OURS)
    assert {name: lines[name] for name in lines if name != "web"} == {
        name: " ".join(container(name)["command"]) for name in OURS if name != "web"
    }


@pytest.mark.parametrize("name", WORKLOADS)
def test_containers_cannot_become_root(name: str) -> None:
    """The namespace enforces the Pod Security Standard `restricted`."""
    of_pod, of_container = pod(name)["spec"]["securityContext"], container(name)["securityContext"]
    assert (True, "RuntimeDefault") == (of_pod["runAsNonRoot"], of_pod["seccompProfile"]["type"])
    assert of_container["readOnlyRootFilesystem"] is True
    assert of_container["allowPrivilegeEscalation"] is False
    assert ["ALL"] == of_container["capabilities"]["drop"]
    assert container(name)["resources"]["limits"]["memory"]


def test_workers_are_scaled_by_the_age_of_the_queue() -> None:
    scaler = BY_NAME["ScaledObject", "worker"]["spec"]
    assert 1 < scaler["minReplicaCount"] < scaler["maxReplicaCount"]
    (trigger,) = scaler["triggers"]
    assert "prometheus" == trigger["type"]
    assert "azul_queue_oldest_seconds" in trigger["metadata"]["query"]


def test_the_sample_of_the_secret_holds_no_password_and_is_not_applied() -> None:
    assert {""} == set(BY_NAME["Secret", NAMESPACE]["stringData"].values())
    assert "secret" not in (DEPLOY / "kubernetes" / "kustomization.yaml").read_text("utf-8").partition("resources:")[2]
