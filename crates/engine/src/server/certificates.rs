//! An authority of the engine's own, and the certificate that it gives to the server.

use super::ServerError;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ED25519,
};
use std::fs;
use std::path::Path;

const AUTHORITY: &str = "ca.pem";
const AUTHORITY_KEY: &str = "ca-key.pem";
pub(super) const SERVER: &str = "server.pem";
pub(super) const SERVER_KEY: &str = "server-key.pem";

/// The certificate of the authority of a folder. Workers trust the authority, so it is made once and
/// stays the same for good.
pub(super) fn authority_of(folder: &Path) -> Result<String, ServerError> {
    let (path, key_path) = (folder.join(AUTHORITY), folder.join(AUTHORITY_KEY));
    if !path.exists() || !key_path.exists() {
        let key = KeyPair::generate_for(&PKCS_ED25519).map_err(strange)?;
        let certificate = authority()?.self_signed(&key).map_err(strange)?;
        super::write_secret(&key_path, &key.serialize_pem())?;
        super::write_secret(&path, &certificate.pem())?;
    }
    fs::read_to_string(&path).map_err(super::in_file(&path))
}

/// Writes a new key and certificate for the server.
pub(super) fn write_server(folder: &Path, hosts: &[String]) -> Result<(), ServerError> {
    let key_path = folder.join(AUTHORITY_KEY);
    let pem = fs::read_to_string(&key_path).map_err(super::in_file(&key_path))?;
    let issuer = Issuer::new(authority()?, KeyPair::from_pem(&pem).map_err(strange)?);
    let key = KeyPair::generate_for(&PKCS_ED25519).map_err(strange)?;
    let mut server = CertificateParams::new(hosts).map_err(strange)?;
    server.distinguished_name.push(DnType::CommonName, "ludus engine");
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let certificate = server.signed_by(&key, &issuer).map_err(strange)?;
    super::write_secret(&folder.join(SERVER), &certificate.pem())?;
    super::write_secret(&folder.join(SERVER_KEY), &key.serialize_pem())
}

fn authority() -> Result<CertificateParams, ServerError> {
    let mut authority = CertificateParams::new(Vec::<String>::new()).map_err(strange)?;
    authority.distinguished_name.push(DnType::CommonName, "ludus engine authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    Ok(authority)
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands the error over")]
fn strange(error: rcgen::Error) -> ServerError {
    ServerError::Certificate(error.to_string())
}
